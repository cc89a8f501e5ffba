import { expect, it } from 'vitest';
import { exportLines, type ExportView } from '../../../application/audit/export-lines.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { TestHub } from '../../support/attackers/make-export.ts';

it('an export as NDJSON is not VALID with words after its last line', async () => {
  const hub = await TestHub.start();
  const document = await hub.export(await hub.gate());
  let text = '';
  for await (const line of exportLines(document as unknown as ExportView))
    text += `${JSON.stringify(line)}\n`;
  const verdictOf = async (file: string): Promise<string> => {
    const trust = trustOf({ kind: 'keys', spki: [hub.spki] });
    return (await verifyFile(file, { trust })).verdict;
  };
  expect(await verdictOf(text)).toBe('valid');
  expect(await verdictOf(text.slice(0, -10))).toBe('cannot_tell');
  expect(await verdictOf(`${text}{"kind":"entry","position":9`)).toBe('invalid');
  expect(await verdictOf(`${text}the verdict was reversed on appeal`)).toBe('invalid');
});
