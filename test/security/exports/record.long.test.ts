import { beforeAll, describe, expect, it } from 'vitest';
import { hashJson } from '../../../domain/kernel/digest.ts';
import type { AuditExport } from '../../../domain/verification/read/audit-export.ts';
import { RECORD_SHAPE } from '../../../domain/verification/read/audit-export-shapes.ts';
import { TestHub } from '../../support/attackers/make-export.ts';
import {
  COUNTER,
  counterAccepted,
  countered,
  fulfilled,
  proposed,
  settle,
  signStory,
  submitted,
  verifyUnder,
  type Story,
} from '../../support/attackers/lying-operator.ts';
import { OTHER, tellingExports } from '../../support/attackers/telling-exports.ts';

let hub: TestHub;
const documents = new Map<string, AuditExport>();
beforeAll(async () => {
  hub = await TestHub.start();
  for (const [name, document] of await tellingExports(hub)) documents.set(name, document);
});

const places = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, item]) => [
        [...path, name],
        ...places(item, [...path, name]),
      ]);

/** The object that holds a place, in a copy. */
const within = (
  document: AuditExport,
  path: readonly string[],
): { copy: AuditExport; holder: Record<string, unknown>; name: string } => {
  const copy = structuredClone(document);
  const holder = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>(
      (value, name) => value[name] as Record<string, unknown>,
      copy.record as unknown as Record<string, unknown>,
    );
  return { copy, holder, name: path.at(-1)! };
};

const others = (value: unknown): readonly unknown[] => [
  ...(value === null ? [] : [null]),
  ...(typeof value === 'boolean' ? [!value] : []),
  ...(typeof value === 'number' ? [value + 1] : []),
  ...(typeof value === 'string' ? ['x', OTHER, '2026-11-20T10:00:00.000Z', '0'.repeat(64)] : []),
  ...(value === null ? [OTHER, '2026-11-20T10:00:00.000Z', 'principal', {}, []] : []),
  ...(Array.isArray(value) ? [[]] : []),
  ...(typeof value === 'object' && value !== null && !Array.isArray(value) ? [{}, [], false] : []),
];

describe('the record that an export shows', () => {
  it('is valid as the chain says it', async () => {
    for (const [name, document] of documents) {
      const report = await verifyUnder(hub, document);
      expect({ name, failures: report.failures }).toEqual({ name, failures: [] });
    }
  });

  it('has no member that these documents do not show with a telling value', () => {
    const silent = new Set(Object.keys(RECORD_SHAPE));
    for (const { record } of documents.values())
      for (const [name, value] of Object.entries(record))
        if (value !== null && value !== 0 && value !== false && !isEmpty(value))
          silent.delete(name);
    // No record of this version has a part on another hub.
    expect([...silent]).toEqual(['federation']);
  });

  it('fails where any member, however deep, says something else, is left out or is added', async () => {
    for (const [document, original] of documents)
      for (const path of places(original.record)) {
        const { holder: genuine, name: member } = within(original, path);
        for (const value of others(genuine[member])) {
          if (JSON.stringify(value) === JSON.stringify(genuine[member])) continue;
          const { copy, holder, name } = within(original, path);
          holder[name] = value;
          await expectInvalid(copy, { document, path, value });
        }
        const without = within(original, path);
        if (Array.isArray(without.holder)) without.holder.splice(Number(without.name), 1);
        else Reflect.deleteProperty(without.holder, without.name);
        await expectInvalid(without.copy, { document, path, value: 'left out' });
        const more = within(original, path);
        if (!Array.isArray(more.holder)) more.holder['remark'] = 'x';
        else more.holder.push({});
        await expectInvalid(more.copy, { document, path, value: 'added' });
      }
  });

  it('fails without its references, and with those of another order', async () => {
    const { record, ...rest } = documents.get('disputed')!;
    await expectInvalid({ ...rest, record: { ...record, references: [] } }, 'none');
    await expectInvalid(
      { ...rest, record: { ...record, references: record.references.toReversed() } },
      'reversed',
    );
  });
});

describe('the manifest that an export shows', () => {
  it('fails where any member says something else, is left out or is added', async () => {
    const { manifest, ...rest } = documents.get('disputed')!;
    for (const member of Object.keys(manifest)) {
      const { [member]: _, ...without } = manifest;
      await expectInvalid({ ...rest, manifest: without }, { member });
      await expectInvalid({ ...rest, manifest: { ...manifest, [member]: 'x' } }, { member });
    }
    await expectInvalid({ ...rest, manifest: { ...manifest, remark: 'x' } }, 'added');
  });
});

describe('criteria that were superseded', () => {
  const agreed: Story = {
    steps: [proposed, countered, counterAccepted, submitted(), fulfilled, settle],
  };

  it('do not pass for those that were agreed, whatever stands beside them', async () => {
    const chain = await signStory(hub, agreed);
    const document = await hub.export(chain);
    expect((await verifyUnder(hub, document)).verdict).toBe('valid');
    expect(document.record.criteriaHash).toBe(hashJson(COUNTER));
    const first = { action: 'invoice.approve', amount: '120.50', lines: [1, 2, 3] };
    const { at, actor } = chain.statements[1]!.predicate;
    const counterProposal = {
      criteria: COUNTER,
      criteriaHash: hashJson(COUNTER),
      message: null,
      proposedBy: actor!,
      proposedAt: at!,
    };
    const shown = { ...document.record, criteria: first, criteriaHash: hashJson(first) };
    await expectInvalid({ ...document, record: shown }, 'superseded');
    await expectInvalid({ ...document, record: { ...shown, counterProposal } }, 'superseded');
    await expectInvalid(
      { ...document, record: { ...document.record, counterProposal } },
      'still on the table',
    );
  });

  it('are those of the record while a counter-proposal is on the table', async () => {
    const document = await hub.export(await signStory(hub, { steps: [proposed, countered] }));
    const { record } = document;
    expect((await verifyUnder(hub, document)).verdict).toBe('valid');
    const swapped = { ...record, criteria: COUNTER, criteriaHash: hashJson(COUNTER) };
    await expectInvalid({ ...document, record: swapped }, 'as if agreed');
    await expectInvalid(
      { ...document, record: { ...swapped, counterProposal: null } },
      'as if agreed',
    );
    await expectInvalid({ ...document, record: { ...record, counterProposal: null } }, 'hidden');
  });
});

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const expectInvalid = async (document: unknown, what: unknown): Promise<void> => {
  const { verdict } = await verifyUnder(hub, document as AuditExport);
  expect({ what, verdict }).toEqual({ what, verdict: 'invalid' });
};
