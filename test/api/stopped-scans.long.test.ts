import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { quickDatabases } from '../support/databases/databases.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok } from '../support/service/world.ts';

const STOPS = 12;

/** The driver of SQLite aborts the whole process where a thread is taken away in the middle of a statement. */
describe.each(quickDatabases())('a scan that is stopped, on $name', (kind) => {
  const rig = new VaultRig(kind, { ROLE: 'api', CHECKPOINT_INTERVAL: '1440' });
  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());

  it('ends at whatever moment, with the reason, and the process goes on', () =>
    rig.run(async (service) => {
      const principal = rig.at(service, rig.world.principal.client);
      const note = { type: 'note', criteria: { text: 'x'.repeat(500) } };
      for (let i = 0; i < 5; i++)
        await ok(principal.post('/v1/records/bulk', Array<object>(100).fill(note)));
      const { container } = service;
      const scan = (stopping: AbortSignal) =>
        container.get(TOKENS.vaultScanner).scan({
          fingerprint: service.vault.fingerprint,
          onProgress: () => undefined,
          stopping,
        });
      const begun = performance.now();
      await scan(new AbortController().signal);
      const whole = performance.now() - begun;
      for (let i = 0; i < STOPS; i++) {
        const stopping = new AbortController();
        const reason = new Error('stopped');
        setTimeout(() => stopping.abort(reason), (whole * (STOPS + i)) / (2 * STOPS));
        const outcome = await scan(stopping.signal).then(
          () => 'ended',
          (error: unknown) => error,
        );
        expect([reason, 'ended']).toContain(outcome);
      }
    }));
});
