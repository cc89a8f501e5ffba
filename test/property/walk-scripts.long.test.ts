import { spawn, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import type { Command } from './walks/command.ts';
import { curlScript } from './walks/curl-script.ts';
import { predict } from './walks/model.ts';
import { record, sidesOf, type ModelWorld, type Predicted } from './walks/model-world.ts';
import { plan } from './walks/planner.ts';
import { runWalk, type Mismatch } from './walks/run-walk.ts';
import { setStage } from './walks/stage.ts';
import { shrink, without } from './walks/shrink.ts';

const api = useApi();
const fresh = useApi();
const missing = ['bash', 'curl'].filter(
  (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error,
);
const isLeftOut = missing.length > 0 && process.env['REQUIRE_MYSQL'] !== '1';

/** A model that is wrong in one place: it lets the performer cancel while a completion awaits its verdict. */
const wrong = (world: ModelWorld, command: Command): Predicted => {
  const predicted = predict(world, command);
  if (
    predicted.ok ||
    predicted.status !== 403 ||
    command.do !== 'take' ||
    command.action !== 'cancel'
  )
    return predicted;
  const one = record(world, command.on);
  return one.status === 'ACTIVE' && one.pending && sidesOf(command.as, one).has('performer')
    ? { ok: true, apply: () => undefined }
    : predicted;
};

/** The first of the walks, in their order, that meets the fault of the model. */
const wronged = (): readonly Command[] => {
  for (let walk = 1; walk < 5_000; walk++) {
    const commands = plan(Array.from({ length: 25 }, (_, index) => walk * 1_000 + index));
    const world: ModelWorld = new Map();
    for (const [index, command] of commands.entries()) {
      const [right, other] = [predict(world, command), wrong(world, command)];
      if (right.ok !== other.ok && index > 6) return commands;
      if (right.ok) right.apply();
    }
  }
  throw new Error('no walk meets the fault');
};

const run = (
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', script], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
    child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });

describe('a walk on which the service and the model part', () => {
  it.skipIf(isLeftOut)(
    'is shrunk until no step can be left out, and printed as a script that shows the same refusal on a fresh service',
    async () => {
      const stage = await setStage(api.world.url, String(api.world.platform.key), api.fingerprint);
      const attempt = async (commands: readonly Command[]): Promise<Mismatch | null> =>
        (await runWalk(stage, commands, wrong)).mismatch;
      const walk = wronged();
      const found = await attempt(walk);
      expect(found).toMatchObject({ expected: 'it is carried out', observed: '403 FORBIDDEN' });

      const shrunk = await shrink(walk, found!, attempt);
      expect(shrunk.mismatch).toMatchObject({
        at: shrunk.commands.length - 1,
        expected: 'it is carried out',
        observed: '403 FORBIDDEN',
      });
      expect(shrunk.commands.length).toBeLessThanOrEqual(4);
      expect(shrunk.commands.at(-1)).toMatchObject({ do: 'take', action: 'cancel' });
      for (const [index] of shrunk.commands.entries()) {
        const parted = await attempt(without(shrunk.commands, index));
        expect(parted?.observed, `without step ${index + 1}`).not.toBe('403 FORBIDDEN');
      }
      // The same walk in the eyes of the right model is as it should be.
      expect((await runWalk(stage, walk)).mismatch).toBeNull();

      const { code, stdout, stderr } = await run(curlScript(shrunk), {
        BASE: fresh.world.url,
        PLATFORM_KEY: String(fresh.world.platform.key),
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const lines = stdout.trimEnd().split('\n');
      expect(lines).toHaveLength(shrunk.commands.length);
      for (const line of lines.slice(0, -1)) expect(line).toMatch(/^\d+: 20[01]$/);
      expect(lines.at(-1)).toBe(`${shrunk.commands.length}: 403 FORBIDDEN`);
    },
  );
});
