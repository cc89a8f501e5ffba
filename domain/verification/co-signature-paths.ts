/** How a request calls an action on a record: a method, and a path in which `{…}` is one segment. */
export interface CoSignaturePath {
  readonly method: string;
  readonly path: string;
}

const RECORD = '/v1/records/{id}';

/**
 * The requests that a sealed co-signature of a record's entry may name. A path in evidence outlives the routes of a
 * release: one that was once served stays here, and one that is served has to be here. Sealed paths have one spelling
 * (`adapters/http/canonical-path.ts`): ids in lower case, no escape where none is needed. So they are compared as they
 * stand.
 */
export const CO_SIGNATURE_PATHS: readonly CoSignaturePath[] = [
  '/v1/records',
  '/v1/records/bulk',
  `${RECORD}/completions`,
  `${RECORD}/verdict`,
  `${RECORD}/references`,
  `${RECORD}/transition`,
  `${RECORD}/accept`,
  `${RECORD}/accept-counter`,
  `${RECORD}/counter-propose`,
  `${RECORD}/reject`,
  `${RECORD}/cancel`,
  `${RECORD}/revision`,
  `${RECORD}/dispute`,
  `${RECORD}/dispute/evidence`,
  `${RECORD}/dispute/escalate`,
  `${RECORD}/dispute/resolve`,
  `${RECORD}/dispute/withdraw`,
].map((path) => ({ method: 'POST', path }));
