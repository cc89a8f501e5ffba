import { describe, expect, it } from 'vitest';
import { BINDINGS } from '../../adapters/rest/bindings.ts';
import type { RestBinding } from '../../adapters/rest/binding.ts';
import { A2A_PATH as A2A_ROUTE } from '../../adapters/a2a/agent-card.ts';
import { SKILLS } from '../../adapters/a2a/skills.ts';
import { MCP_PATH as MCP_ROUTE } from '../../adapters/mcp/mcp-route.ts';
import { TOOLS } from '../../adapters/mcp/tools.ts';
import {
  A2A_ACTIONS,
  A2A_DEFAULTS,
  A2A_PATH,
} from '../../domain/verification/co-signature/a2a-request.ts';
import { MCP_ACTIONS, MCP_PATH } from '../../domain/verification/co-signature/mcp-request.ts';
import { CO_SIGNATURE_PATHS } from '../../domain/verification/co-signature/co-signature-paths.ts';
import { NOBODY } from '../support/stories/problems.ts';

/** Makes records, so that there is none yet that it could name. */
const CREATIONS: readonly string[] = ['createRecord', 'createRecordsBulk'];
const A_RECORD: { readonly [member: string]: unknown } = { recordId: NOBODY };

const actsOnRecord = ({ operation: { id, effect, target } }: RestBinding): boolean =>
  effect === 'write' && (CREATIONS.includes(id) || target?.(A_RECORD)?.kind === 'record');
const served = BINDINGS.filter(actsOnRecord).map(
  ({ options: { method, path } }) => `${method} ${path}`,
);
/** What names the record and the action in its body. */
const BY_BODY = [`POST ${A2A_PATH}`, `POST ${MCP_PATH}`];
const known = CO_SIGNATURE_PATHS.map(({ method, path }) => `${method} ${path}`);

/** What an earlier release served and this one does not. */
const ONCE_SERVED: readonly string[] = [];

describe('a co-signed request of A2A', () => {
  it('is read with the operations and the skills that are served', () => {
    const writes = SKILLS.flatMap(({ operations }) =>
      operations.filter(({ effect }) => effect === 'write').map(({ id }) => id),
    );
    expect(Object.keys(A2A_ACTIONS).sort()).toEqual([...new Set(writes)].sort());
    const defaults = SKILLS.filter(({ operations: [first] }) => first.effect === 'write').map(
      ({ id, operations: [first] }) => [id, first.id],
    );
    expect(A2A_DEFAULTS).toEqual(Object.fromEntries(defaults));
    expect(A2A_ROUTE).toBe(A2A_PATH);
  });

  it('may ask for every action of the paths beside it', () => {
    const actions = (path: (path: string) => boolean) =>
      new Set(CO_SIGNATURE_PATHS.filter((one) => path(one.path)).flatMap((one) => one.actions));
    const isByBody = (path: string) => BY_BODY.includes(`POST ${path}`);
    expect(actions((path) => path === A2A_PATH)).toEqual(actions((path) => !isByBody(path)));
  });
});

describe('a co-signed call of a tool', () => {
  it('is read with the tools that are served, each by the operation that it binds', () => {
    const writes = TOOLS.filter(({ operation }) => operation.effect === 'write');
    const named = writes.map(({ name, operation, fixed }) => [
      name,
      fixed ? [fixed['action']] : A2A_ACTIONS[operation.id],
    ]);
    expect(MCP_ACTIONS).toEqual(Object.fromEntries(named));
    expect(MCP_ROUTE).toBe(MCP_PATH);
  });

  it('may ask for every action that a request of A2A may', () => {
    const actions = (path: string) =>
      CO_SIGNATURE_PATHS.filter((one) => one.path === path).flatMap((one) => one.actions);
    expect(actions(MCP_PATH)).toEqual(actions(A2A_PATH));
  });
});

describe('the paths that a sealed co-signature may name', () => {
  it('are those of every binding that changes a record, and those of earlier releases', () => {
    expect(served.length).toBeGreaterThan(10);
    expect([...known].sort()).toEqual([...served, ...BY_BODY, ...ONCE_SERVED].sort());
    expect(new Set(known).size).toBe(known.length);
  });

  it('have no parameter but the record', () => {
    const parameters = known.flatMap((path) => path.match(/\{\w+\}/g) ?? []);
    expect(new Set(parameters)).toEqual(new Set(['{id}']));
  });
});
