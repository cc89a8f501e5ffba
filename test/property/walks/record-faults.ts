import { HubKeys } from '../../../domain/verification/platform/hub-keys.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import type { Body } from '../../support/service/world.ts';
import type { Label } from './command.ts';
import { record, type ModelRecord, type ModelWorld } from './model-world.ts';
import { clientOf, type Stage } from './stage.ts';
import { stateOfAnswer, stateOfModel } from './state-words.ts';

const hubKeys = new HubKeys();

/** Tells of each entry which action took the record from where to where. */
export type Witness = (step: string) => void;

/** The first record of a walk that is not what the model says, or whose chain is not, or does not verify offline; null where all are. */
export const recordFaults = async (
  stage: Stage,
  world: ModelWorld,
  ids: ReadonlyMap<Label, string>,
  witness: Witness,
): Promise<{ readonly expected: string; readonly observed: string } | null> => {
  for (const [label, id] of ids) {
    const one = record(world, label);
    const expected = `${label} is ${stateOfModel(one)}, ${summary(one.entries, one.signal)}, valid`;
    const observed = `${label} is ${await observe(stage, id, witness)}`;
    if (expected !== observed) return { expected, observed };
  }
  return null;
};

const observe = async (stage: Stage, id: string, witness: Witness): Promise<string> => {
  const platform = clientOf(stage, 'platform');
  const { body } = await platform.get(`/v1/records/${id}`);
  const response = await fetch(`${stage.url}/v1/records/${id}/audit-export?evidence=true`, {
    headers: { authorization: `Bearer ${platform.key}` },
  });
  const text = await response.text();
  if (response.status !== 200)
    return `${stateOfAnswer(body)}, and its export answers ${response.status} ${text}`;
  const { chain } = JSON.parse(text) as Body;
  const entries = chain.entries as Body[];
  for (const { statement } of entries) {
    const { transition } = statement.predicate;
    if (transition) witness(stepOf(transition.action, transition.from, transition.to));
  }
  const signals = entries.filter(({ entryType }) => entryType === 'SIGNAL_EMITTED');
  const { verdict, failures, reasons } = await verifyAuditExport(text, {
    trust: trustOf({ kind: 'fingerprint', sha256Hex: stage.fingerprint }),
    keys: hubKeys,
  });
  return `${stateOfAnswer(body)}, ${summary(
    entries.map(({ entryType }) => String(entryType)),
    signals.at(-1)?.['statement'].predicate.recommendation ?? null,
  )}, ${verdict === 'valid' ? verdict : `${verdict} ${JSON.stringify(failures)} ${reasons.join(' ')}`}`;
};

export const stepOf = (action: string, from: string | null, to: string): string =>
  `${action}: ${from ?? 'nothing'} to ${to}`;

const summary = (entries: readonly string[], signal: ModelRecord['signal']): string =>
  `${entries.join(' ')}, recommends ${signal}`;
