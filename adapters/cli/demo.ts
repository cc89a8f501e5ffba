import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createColors } from 'picocolors';
import { DemoService } from './demo-service.ts';
import { demoSteps } from './demo-steps.ts';
import { earlyEnd } from './early-end.ts';
import type { Io } from './io.ts';

/**
 * `notary demo`: runs the real service in its own process, on a temporary database, and shows over
 * HTTP what it is for. However it ends, it leaves neither the service nor a file behind.
 *
 * @returns 0 when every step succeeded, 1 after the first that failed, 128 and the number of a
 *   signal that ended it.
 */
export const runDemo = async (io: Io): Promise<number> => {
  const early = earlyEnd();
  const directory = await mkdtemp(join(tmpdir(), 'notary-demo-'));
  const service = new DemoService(directory);
  try {
    return await Promise.race([showTour(io, service, directory), early.code]);
  } finally {
    await service.end();
    await rm(directory, { recursive: true, force: true });
    early.release();
  }
};

const showTour = async (io: Io, service: DemoService, directory: string): Promise<0 | 1> => {
  const colour = createColors(io.isTTY && !process.env['NO_COLOR']);
  const started = performance.now();
  io.stdout(
    `\n${colour.bold('Notary Service, a running tour')}\n${colour.dim('A real service on a temporary database; everything below goes over HTTP.')}\n\n`,
  );
  try {
    for (const step of demoSteps(service, directory)) {
      const proof = await step.run().catch((cause: unknown) => {
        throw new StepError(step.title, cause);
      });
      io.stdout(`${colour.green('✓')} ${colour.bold(step.title)}\n`);
      for (const line of proof) io.stdout(`    ${line}\n`);
    }
    io.stdout(
      `\n${colour.green('Everything held')} ${colour.dim(`in ${((performance.now() - started) / 1000).toFixed(1)} s. Next: npm start, then the tour in README.md.`)}\n\n`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    // What fails because the demo is being ended is no failure.
    if (!service.isEnded)
      io.stdout(
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
