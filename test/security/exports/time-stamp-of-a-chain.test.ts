import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Rfc3161Checker } from '../../../adapters/tsa/rfc3161-checker.ts';
import { decodeBase64Strict } from '../../../domain/kernel/base64.ts';
import { PLATFORM_CHAIN } from '../../../domain/vault/chain-key.ts';
import { timestampImprint } from '../../../domain/vault/timestamp.ts';
import { verifyDump } from '../../../domain/verification/dump/verify-dump.ts';
import { rowsOf, sourceOf, textOf } from '../../support/attackers/dump-files.ts';
import { makeGenuineDump, type GenuineDump } from '../../support/attackers/genuine-dump.ts';
import { OpensslTsa } from '../../support/peers/openssl-tsa.ts';

/**
 * The checkpoint of one chain seals no tree. An operator who has had one stamped long ago can write everything before it anew,
 * and the report said that the authority had seen all of it.
 */
describe('a time stamp on the checkpoint of one chain', () => {
  const tsa = new OpensslTsa();
  let genuine: GenuineDump;
  beforeAll(async () => {
    genuine = await makeGenuineDump(1);
  });
  afterAll(() => tsa.end());

  const notesWithStampOn = async (isStamped: (chainKey: unknown) => boolean): Promise<string> => {
    const rows = rowsOf(genuine.texts.vault_checkpoints);
    const at = rows.findLastIndex((row) => isStamped(row['chain_key']));
    const imprint = timestampImprint(decodeBase64Strict(String(rows[at]!['cose_sign1']))!);
    rows[at] = { ...rows[at]!, timestamp_token: tsa.token(imprint).toString('base64') };
    const report = await verifyDump(
      sourceOf({ ...genuine.texts, vault_checkpoints: textOf(rows) }),
      { trust: genuine.trust, timestamps: await Rfc3161Checker.under(tsa.root) },
    );
    expect(report.verdict).toBe('valid');
    return report.notes.join();
  };

  it('is told of the log where it stands on a round, and nowhere else', async () => {
    expect(await notesWithStampOn((chainKey) => chainKey === PLATFORM_CHAIN)).toMatch(
      /the log up to its leaf \d+ existed before/,
    );
    expect(await notesWithStampOn((chainKey) => chainKey !== PLATFORM_CHAIN)).not.toMatch(
      /the log up to/,
    );
  });
});
