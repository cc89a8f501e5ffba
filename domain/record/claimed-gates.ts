import { canonicalJsonBytes, type JsonValue } from '../kernel/canonical-json.ts';
import { NotaryError, type FieldError } from '../kernel/errors.ts';
import type { Manifest } from '../record-type/manifest.ts';
import type { ClaimedGateResult } from './record-statement.ts';

/** Limit for all results together: the rest of the statement has to fit as well. */
const MAX_CLAIM_BYTES = 32 * 1024;

/**
 * What a principal may say with its verdict that the gates gave: in the encrypted mode, one result for a gate of the
 * type, each in the clear and sealed as the principal's claim.
 *
 * @throws UNPROCESSABLE with every fault in `errors`.
 */
export const assertClaimable = (
  { operatingMode, gates }: Pick<Manifest, 'operatingMode' | 'gates'>,
  results: readonly ClaimedGateResult[],
): void => {
  if (operatingMode !== 'encrypted') {
    throw refusal(
      [fault('', 'cleartext', 'is for records of the encrypted mode')],
      'The service evaluated the gates of this record itself; only in the encrypted mode does the principal say what they gave.',
      { suggestion: 'Leave gateResults out.' },
    );
  }
  const ids = gates.map((gate) => gate.id);
  const unknown = results.flatMap(({ gateId }, i) =>
    ids.includes(gateId) ? [] : [fault(`/${i}/gateId`, 'enum', 'is no gate of the record type')],
  );
  if (unknown.length > 0)
    throw refusal(unknown, 'gateResults names a gate that the record type does not have.', {
      allowedValues: ids,
    });
  if (new Set(results.map(({ gateId }) => gateId)).size < results.length)
    throw refusal(
      [fault('', 'uniqueItems', 'has two results for one gate')],
      'gateResults has two results for one gate.',
    );
  const bytes = canonicalJsonBytes(results as unknown as JsonValue).length;
  if (bytes > MAX_CLAIM_BYTES)
    throw refusal(
      [fault('', 'maxLength', `has ${bytes} bytes; at most ${MAX_CLAIM_BYTES} are sealed`)],
      `gateResults is too long: at most ${MAX_CLAIM_BYTES} bytes are sealed.`,
      { suggestion: 'Shorten the details.' },
    );
};

const fault = (path: string, keyword: string, message: string): FieldError => ({
  path: `/gateResults${path}`,
  keyword,
  message,
});
const refusal = (
  errors: readonly FieldError[],
  detail: string,
  members: NotaryError['members'] = {},
): NotaryError => new NotaryError('UNPROCESSABLE', detail, { errors, ...members });
