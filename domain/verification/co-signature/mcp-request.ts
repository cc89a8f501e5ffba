import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import type { Action } from '../../record/actions.ts';
import { askedFor, type AskedByBody } from './asked-by-body.ts';

/** Where tools are served: the path names neither the record nor the action, the body does. */
export const MCP_PATH = '/mcp';

/** What a tool writes. A transition is named by its arguments, where the tool does not stand for one. */
export const MCP_ACTIONS: { readonly [tool: string]: readonly Action[] | 'transition' } = {
  notarize: ['create', 'delegate'],
  open_record: ['create', 'delegate'],
  notarize_many: ['create', 'delegate'],
  accept_proposal: ['accept'],
  act_on_record: 'transition',
  add_reference: ['add-reference'],
  submit_completion: ['submit-completion'],
  render_verdict: ['render-verdict'],
  open_dispute: ['open-dispute'],
  submit_dispute_evidence: ['submit-dispute-evidence'],
  escalate_dispute: ['escalate-dispute'],
  resolve_dispute: ['resolve-dispute'],
  withdraw_dispute: ['withdraw-dispute'],
};

/** Arguments that are about the call and not about the record. */
const CONTROLS: ReadonlySet<string> = new Set(['idempotencyKey', 'expectedVersions']);

/**
 * Reads what was co-signed as a call of a tool: MCP 2026-07-28, or a version of 2025.
 *
 * @param item of a call that creates several records, which of them is meant.
 * @returns null where it asks for nothing that changes a record.
 */
export const readMcpRequest = (body: JsonValue, item: number | undefined): AskedByBody | null => {
  if (!isObject(body) || body['method'] !== 'tools/call' || !isObject(body['params'])) return null;
  const { name } = body['params'];
  const given = body['params']['arguments'];
  if (typeof name !== 'string' || !Object.hasOwn(MCP_ACTIONS, name) || !isObject(given))
    return null;
  const actions = MCP_ACTIONS[name]!;
  const members: JsonObject = Object.fromEntries(
    Object.entries(given).filter(([member]) => !CONTROLS.has(member)),
  );
  if (name === 'notarize_many') {
    const { items } = members;
    const one = Array.isArray(items) ? (items as readonly JsonValue[])[item ?? -1] : undefined;
    return isObject(one) ? askedFor(actions, one) : null;
  }
  if (item !== undefined) return null;
  return askedFor(actions, members);
};
