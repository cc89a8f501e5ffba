import { describe, expect, it } from 'vitest';
import { AjvInputCheck } from '../../../adapters/json-schema/ajv-input-check.ts';
import { LoadDocuments } from '../../../application/provisioning/load-documents.ts';
import { ReportDraft } from '../../../application/provisioning/reload-report.ts';

const FILES = 10_000;
const folder = (value: unknown) => ({
  kinds: new Set(['orgs'] as const),
  faults: [],
  files: Array.from({ length: FILES }, (_, at) => ({
    file: `orgs/${at}.yaml`,
    kind: 'orgs' as const,
    sha256: '',
    value,
  })),
});
const load = new LoadDocuments(new AjvInputCheck());

/** Somebody else in this thread. */
const turns = (): { count: number; end(): void } => {
  const seen = { count: 0, end: () => clearInterval(timer) };
  const timer = setInterval(() => seen.count++, 1);
  return seen;
};

describe('as many files as are read', () => {
  it('that all name the same are faults that name a few of the others', async () => {
    const { items, faults } = await load.load(folder({ slug: 'acme', name: 'Acme' }));
    expect([items.length, faults.length]).toEqual([0, FILES]);
    expect(faults[3]!.message).toBe(
      'names the same as orgs/0.yaml, orgs/1.yaml, orgs/2.yaml, orgs/4.yaml, orgs/5.yaml and 9994 more; none of them is applied. Give each its own, or remove all but one.',
    );
    expect(Math.max(...faults.map(({ message }) => message.length))).toBeLessThan(300);
  });

  it('and that are all full of faults leave others their turns, and are told as far as anybody reads', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, 1]));
    const others = turns();
    const { faults } = await load.load(folder(unknown));
    others.end();
    expect(others.count).toBeGreaterThan(20);
    expect(new Set(faults.map(({ file }) => file)).size).toBe(FILES);
    expect(faults.length).toBeLessThan(3 * FILES);
    const draft = new ReportDraft();
    draft.fail(Array.from({ length: 300_000 }, () => faults[0]!));
    expect(draft.report(true).errors).toHaveLength(1_000);
  });
});
