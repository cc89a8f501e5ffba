import { createColors } from 'picocolors';
import { demoPlace } from './demo-place.ts';
import { DemoService } from './demo-service.ts';
import { demoSteps } from './demo-steps.ts';
import { DemoTour } from './demo-tour.ts';
import { earlyEnd } from './early-end.ts';
import type { Io } from './io.ts';
import { keptDemo, keptDemoText } from './kept-demo.ts';

export interface DemoOptions {
  /** Leaves the service running: `true` in a temporary directory, which goes when it is stopped. */
  readonly keep?: true | string;
  /** Prints the `KeptDemo` as JSON, and nothing else. */
  readonly json?: true;
}

/**
 * `notary demo`: runs the real service in its own process, on a temporary database, and shows over
 * HTTP what it is for. Where every step succeeds, it leaves the record as one HTML file, and what it was
 * to keep; otherwise neither the service nor a file.
 *
 * @returns 0 when every step succeeded, 1 after the first that failed, 128 and the number of a
 *   signal that ended it.
 */
export const runDemo = async (
  io: Io,
  evidencePage: () => Promise<string | null>,
  { keep, json }: DemoOptions = {},
): Promise<number> => {
  const early = earlyEnd();
  const place = await demoPlace(typeof keep === 'string' ? keep : undefined);
  const tour = new DemoTour(
    new DemoService(place, keep !== undefined),
    place.directory,
    evidencePage,
  );
  const { service } = tour;
  let isLeft = false;
  try {
    const shown = json ? { ...io, stdout: () => undefined } : io;
    const code = await Promise.race([showTour(shown, tour), early.code]);
    if (code === 0 && service.isKept) {
      const kept = keptDemo(tour, place, service.leave());
      isLeft = true;
      io.stdout(json ? `${JSON.stringify(kept)}\n` : keptDemoText(kept, place));
    }
    return code;
  } finally {
    await service.end();
    if (!isLeft) await place.clear();
    early.release();
  }
};

const showTour = async (io: Io, tour: DemoTour): Promise<0 | 1> => {
  const colour = createColors(io.isTTY && !process.env['NO_COLOR']);
  const started = performance.now();
  const place = tour.service.isKept ? 'a new database' : 'a temporary database';
  io.stdout(
    `\n${colour.bold('Notary Service, a running tour')}\n${colour.dim(`A real service on ${place}; everything below goes over HTTP.`)}\n\n`,
  );
  try {
    for (const step of demoSteps(tour)) {
      const proof = await step.run().catch((cause: unknown) => {
        throw new StepError(step.title, cause);
      });
      io.stdout(`${colour.green('✓')} ${colour.bold(step.title)}\n`);
      for (const line of proof) io.stdout(`    ${line}\n`);
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const next = tour.service.isKept
      ? `in ${seconds} s.`
      : `in ${seconds} s. Next: npm run demo -- --keep leaves such a service running, to play with.`;
    io.stdout(`\n${colour.green('Everything held')} ${colour.dim(next)}\n\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    // What fails because the demo is being ended is no failure.
    if (!tour.service.isEnded)
      io.stderr(
        `${colour.red('✗')} ${colour.bold(error.title)}\n    ${error.message}\n\n${colour.red('The demo stopped at this step.')}\n\n`,
      );
    return 1;
  }
};

class StepError extends Error {
  override readonly name = 'StepError';
  constructor(
    readonly title: string,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
