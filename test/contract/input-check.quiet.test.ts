import { describe, expect, it } from 'vitest';
import { AjvInputCheck } from '../../adapters/json-schema/ajv-input-check.ts';
import { CreateRecordInput } from '../../application/record/inputs.ts';
import { refusalOf } from '../support/runner/refusal-of.ts';
import { busyMs, slowness } from '../support/service/event-loop-gap.ts';

// Cost in the contract of application/call/input-check.port.ts

const record = new AjvInputCheck().prepare({
  noun: 'The body',
  memberNoun: 'member',
  schema: CreateRecordInput,
  hasHelp: true,
});
const findings = (value: unknown) => refusalOf(() => record(value)).members.errors ?? [];

describe('a refusal costs what it lists', () => {
  it.each<[string, unknown]>([
    ['unknown members', Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [i, 0]))],
    [
      'wrong items',
      { type: 't', criteria: {}, references: Array.from({ length: 100_000 }, () => 0) },
    ],
    [
      'items with unknown members',
      {
        type: 't',
        criteria: {},
        references: Array.from({ length: 20_000 }, () => ({ a: 0, b: 0, c: 0, d: 0, e: 0 })),
      },
    ],
  ])('of %s no more than it lists, whose number does not matter', (_title, value) => {
    expect(findings(value)).toHaveLength(100);
    const took = Array.from({ length: 5 }, () => {
      const started = busyMs();
      findings(value);
      return busyMs() - started;
    });
    expect(Math.min(...took) / slowness()).toBeLessThan(10);
  });
});
