import { A2A_PATH } from './a2a-request.ts';
import { MCP_PATH } from './mcp-request.ts';
import { TRANSITIONS } from './co-signed-transitions.ts';
import type { Action } from '../../record/actions.ts';

/** How a request calls actions on a record: a method, and a path in which `{…}` is one segment. */
export interface CoSignaturePath {
  readonly method: string;
  readonly path: string;
  /** What an entry seals of it. Several: the body says which one, or the entries are of several records. */
  readonly actions: readonly Action[];
}

const RECORD = '/v1/records/{id}';
export const TRANSITION_PATH = `${RECORD}/transition`;
export const BULK_PATH = '/v1/records/bulk';

/** The body says which of them, and of which record. */
const BY_BODY: readonly [Action, ...Action[]] = [
  'create',
  'delegate',
  ...TRANSITIONS,
  'submit-completion',
  'render-verdict',
  'add-reference',
  'open-dispute',
  'submit-dispute-evidence',
  'escalate-dispute',
  'resolve-dispute',
  'withdraw-dispute',
];

const AT_PATH: readonly (readonly [string, ...Action[]])[] = [
  ['/v1/records', 'create', 'delegate'],
  [BULK_PATH, 'create', 'delegate'],
  [`${RECORD}/completions`, 'submit-completion'],
  [`${RECORD}/verdict`, 'render-verdict'],
  [`${RECORD}/references`, 'add-reference'],
  [TRANSITION_PATH, ...TRANSITIONS],
  [`${RECORD}/accept`, 'accept'],
  [`${RECORD}/accept-counter`, 'accept-counter'],
  [`${RECORD}/counter-propose`, 'counter-propose'],
  [`${RECORD}/reject`, 'reject'],
  [`${RECORD}/cancel`, 'cancel'],
  [`${RECORD}/revision`, 'revision'],
  [`${RECORD}/dispute`, 'open-dispute'],
  [`${RECORD}/dispute/evidence`, 'submit-dispute-evidence'],
  [`${RECORD}/dispute/escalate`, 'escalate-dispute'],
  [`${RECORD}/dispute/resolve`, 'resolve-dispute'],
  [`${RECORD}/dispute/withdraw`, 'withdraw-dispute'],
  [A2A_PATH, ...BY_BODY],
  [MCP_PATH, ...BY_BODY],
];

/**
 * The requests that a sealed co-signature of a record's entry may name. A path in evidence outlives the routes of a
 * release: one that was once served stays here, and one that is served has to be here. Sealed paths have one spelling
 * (`adapters/http/canonical-path.ts`): ids in lower case, no escape where none is needed. So they are compared as they
 * stand.
 */
export const CO_SIGNATURE_PATHS: readonly CoSignaturePath[] = AT_PATH.map(([path, ...actions]) => ({
  method: 'POST',
  path,
  actions,
}));

/** The row of a path as it was signed, and the record that it names; null where no row has it. Nothing is normalised. */
export const coSignaturePathOf = (
  method: string,
  path: string,
): { readonly row: CoSignaturePath; readonly recordId: string | null } | null => {
  const recordId = ID.exec(path)?.[1] ?? null;
  const template = recordId === null ? path : path.replace(recordId, '{id}');
  const row = CO_SIGNATURE_PATHS.find(
    (candidate) => candidate.method === method && candidate.path === template,
  );
  return row ? { row, recordId } : null;
};

const ID = /^\/v1\/records\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\/|$)/;
