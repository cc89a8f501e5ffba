import { hashJson } from '../../../domain/kernel/digest.ts';
import type { ReferenceTarget } from '../../../domain/kernel/reference-target.ts';
import type { ActorClaim } from '../../../domain/vault/statement.ts';
import { HEX, INSTANT, INTEGER, json, nullable, TEXT, UUID } from '../tables/codec.ts';
import { column, derived, nullableGroup, written } from '../tables/column.ts';
import { sealedTable } from '../tables/sealed-table.ts';
import { table } from '../tables/tables.ts';

/** The members of a reference besides its id and its owner. */
const TARGET = {
  entryPosition: written('entry_position', INTEGER),
  kind: column('kind', TEXT),
  uri: column('uri', TEXT),
  /** SHA-256 of the RFC 8785 form of [kind, uri]: each owner has each target once. */
  targetHash: derived('target_hash', HEX, ({ kind, uri }: Pick<ReferenceTarget, 'kind' | 'uri'>) =>
    hashJson([kind, uri]),
  ),
  digest: nullableGroup({
    alg: column('digest_alg', TEXT),
    value: column('digest_value', TEXT),
  }),
  label: column('label', nullable(TEXT)),
  addedBy: column('added_by', json<ActorClaim>()),
  addedAt: column('added_at', INSTANT),
};

export const RECORD_REFERENCES = table('record_references', {
  id: column('id', UUID),
  recordId: column('record_id', UUID),
  ...TARGET,
});

export const AGENT_REFERENCES = sealedTable('agent_references', {
  id: column('id', UUID),
  agentId: column('agent_id', UUID),
  ...TARGET,
});
