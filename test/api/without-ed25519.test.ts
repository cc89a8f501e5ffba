import { settingsIn } from '../support/service/settings-in.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SchemaLanes } from '../../adapters/json-schema/schema-lanes.ts';
import { CryptoProbe, type ProbedCrypto } from '../../adapters/signer/crypto-probe.ts';
import { openSqlAdapter } from '../../adapters/sql/sql-adapter.ts';
import { PinoLog } from '../../adapters/system/pino-log.ts';
import { ExchangeToken } from '../../application/identity/exchange-token.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { createContainer } from '../../config/container.ts';
import { loadSecrets } from '../../config/secrets.ts';
import { TOKENS } from '../../config/tokens.ts';
import { ROW_KEYS } from '../support/databases/row-keys.ts';

// Contract of application/sealing/crypto-capabilities.port.ts

const root = mkdtempSync(join(tmpdir(), 'notary-fips-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The runtime's own crypto as a FIPS provider has it: it knows the name and computes nothing. */
const withoutEd25519: ProbedCrypto = {
  subtle: new Proxy(crypto.subtle, {
    get: (subtle, member) => {
      if (member !== 'generateKey')
        return (Reflect.get(subtle, member) as (...values: unknown[]) => unknown).bind(subtle);
      return (algorithm: { name: string }, ...rest: unknown[]) =>
        algorithm.name === 'Ed25519'
          ? Promise.reject(new Error('not supported'))
          : (subtle.generateKey as (...values: unknown[]) => Promise<unknown>)(algorithm, ...rest);
    },
  }),
};

describe('the probe of the crypto provider', () => {
  it('finds what the provider computes, once', async () => {
    let asked = 0;
    const probe = new CryptoProbe(async () => {
      asked++;
      return globalThis.crypto;
    });
    expect(
      await Promise.all([probe.canUse('Ed25519'), probe.canUse('ES256'), probe.canUse('Ed25519')]),
    ).toEqual([true, true, true]);
    expect(asked).toBe(2);
  });

  it('finds what it does not compute, whatever it throws', async () => {
    const probe = new CryptoProbe(() => Promise.resolve(withoutEd25519));
    expect([await probe.canUse('Ed25519'), await probe.canUse('ES256')]).toEqual([false, true]);
    expect(await new CryptoProbe(() => Promise.reject(new Error('away'))).canUse('ES256')).toBe(
      false,
    );
  });
});

describe('a host that cannot compute Ed25519', () => {
  it('signs a new chain with ES256, and gives no certificates but says what to use', async () => {
    const settings = settingsIn(root);
    const sql = openSqlAdapter({
      url: `sqlite://${join(root, 'notary.sqlite')}`,
      rowKeys: ROW_KEYS,
    });
    await sql.migrate();
    const container = createContainer({
      settings,
      secrets: await loadSecrets(settings),
      sql,
      log: new PinoLog('silent', { write: () => undefined }),
    });
    (await container.rebindAsync(TOKENS.cryptoCapabilities)).toConstantValue(
      new CryptoProbe(() => Promise.resolve(withoutEd25519)),
    );
    try {
      await container.get(Vault).open();
      expect(container.get(Vault).seal.signer.algorithm).toBe('ES256');
      const exchange = container
        .get(ExchangeToken)
        .execute(
          { requestId: 'r' },
          { oidcToken: 'a.b.c', publicKeyJwk: {}, proofOfPossession: '' },
        );
      await expect(exchange).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        entry: { slug: 'validation-error', kind: 'malformed' },
        members: { recoveryHint: expect.stringContaining('API key') },
      });
    } finally {
      await container.get(SchemaLanes).stop();
      await sql.close();
    }
  });
});
