import {
  encodeCbor,
  type CborKey,
  type CborValue,
} from '../../domain/kernel/deterministic-cbor.ts';
import type { Problem } from './problem.ts';

export const CONCISE_PROBLEM = 'application/concise-problem-details+cbor';

/** RFC 9290: title, detail and instance of a problem. Where SCRAPI has a title of its own, that one. */
export const conciseProblemOf = ({ reason, title, detail, instance }: Problem): Uint8Array =>
  encodeCbor(
    new Map<CborKey, CborValue>([
      [-1, (reason === undefined ? undefined : SCRAPI_TITLES.get(reason)) ?? title],
      [-2, detail],
      [-3, instance],
    ]),
  );

const SCRAPI_TITLES: ReadonlyMap<string, string> = new Map([
  ['malformed_request', 'Malformed request'],
  ['payload_missing', 'Payload Missing'],
  ['bad_signature_algorithm', 'Bad Signature Algorithm'],
  ['rejected', 'Rejected'],
]);
