import { exportAudit } from '../../application/audit/operations.ts';
import type { Operation } from '../../application/call/operation.ts';
import { getSchema, listSchemas } from '../../application/record-type/operations.ts';
import { getRecord } from '../../application/record/operations.ts';
import { listVerificationKeys } from '../../application/vault/operations.ts';
import { mayCall } from '../../application/call/access.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { isObject, type JsonObject } from '../../domain/kernel/canonical-json.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import { textOf } from './call-tool.ts';
import type { McpCall } from './mcp-call.ts';

const JSON_TYPE = 'application/json';
const COSE_TYPE = 'application/cose; cose-type="cose-sign1"';

/** Something to read under a URI of its own. */
interface ResourceKind {
  /** RFC 6570, level 1. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly operation: Operation;
  readonly inputOf: (id: string) => JsonObject;
  /** Bytes, base64, instead of the view as JSON; undefined where there are none. */
  readonly blobOf?: (view: JsonObject) => string | undefined;
}

const byId = (recordId: string): JsonObject => ({ recordId });

const RESOURCES: readonly ResourceKind[] = [
  {
    uri: 'notary://records/{id}',
    name: 'record',
    title: 'Record',
    description: 'How a record stands, and what to do next',
    mimeType: JSON_TYPE,
    operation: getRecord,
    inputOf: byId,
  },
  {
    uri: 'notary://records/{id}/statement',
    name: 'statement',
    title: 'Newest signed statement of a record',
    description: 'A COSE_Sign1 structure; with the public key alone it verifies offline',
    mimeType: COSE_TYPE,
    operation: getRecord,
    inputOf: byId,
    blobOf: ({ signedStatement }) =>
      isObject(signedStatement) ? (signedStatement['coseSign1'] as string) : undefined,
  },
  {
    uri: 'notary://records/{id}/proof',
    name: 'proof',
    title: 'Signed chain of a record',
    description: 'The audit export: notary verify checks it offline',
    mimeType: JSON_TYPE,
    operation: exportAudit,
    inputOf: byId,
  },
  {
    uri: 'notary://types/{type}',
    name: 'record-type',
    title: 'Record type',
    description: 'Which criteria and which evidence a type asks for',
    mimeType: JSON_TYPE,
    operation: getSchema,
    inputOf: (type) => ({ type }),
  },
  {
    uri: 'notary://types',
    name: 'record-types',
    title: 'Record types',
    description: 'The newest types of records',
    mimeType: JSON_TYPE,
    operation: listSchemas,
    inputOf: () => ({}),
  },
  {
    uri: 'notary://verification-keys',
    name: 'verification-keys',
    title: 'Verification keys',
    description: 'The public keys by which proofs are verified',
    mimeType: JSON_TYPE,
    operation: listVerificationKeys,
    inputOf: () => ({}),
  },
];

const isTemplate = ({ uri }: ResourceKind): boolean => uri.includes('{');

const shownTo = (caller: Caller | null, kind: (one: ResourceKind) => boolean): JsonObject[] =>
  RESOURCES.filter((one) => kind(one) && mayCall(one.operation.access({}), caller)).map((one) => {
    const { uri, name, title, description, mimeType } = one;
    return {
      ...(isTemplate(one) ? { uriTemplate: uri } : { uri }),
      name,
      title,
      description,
      mimeType,
    };
  });

export const listedResources = (caller: Caller | null): JsonObject[] =>
  shownTo(caller, (one) => !isTemplate(one));

export const listedTemplates = (caller: Caller | null): JsonObject[] => shownTo(caller, isTemplate);

const PATTERNS = RESOURCES.map(
  (kind) => [new RegExp(`^${kind.uri.replace(/\{\w+\}/, '([^/?#]{1,256})')}$`), kind] as const,
);

/** @throws NotaryError NOT_FOUND, and whatever the operation refuses. */
export const readResource = async (call: McpCall): Promise<JsonObject> => {
  const { uri } = call.params;
  const asked = typeof uri === 'string' ? uri : '';
  for (const [pattern, kind] of PATTERNS) {
    const found = pattern.exec(asked);
    if (found) return { contents: [await contentOf(call, kind, asked, decoded(found[1] ?? ''))] };
  }
  throw notFound('resource', {
    allowedValues: RESOURCES.map((one) => one.uri),
    suggestion: 'Read a URI of one of these forms.',
  });
};

const contentOf = async (
  call: McpCall,
  { name, operation, inputOf, blobOf, mimeType }: ResourceKind,
  uri: string,
  id: string,
): Promise<JsonObject> => {
  const bound = { name: `resource ${name}`, operation };
  const { shown } = await call.perform(bound, inputOf(id));
  if (!blobOf) return { uri, mimeType, text: await textOf(shown.view) };
  const blob = blobOf(shown.view as JsonObject);
  if (blob === undefined) throw notFound('statement');
  return { uri, mimeType, blob };
};

/** @throws NotaryError NOT_FOUND */
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw notFound('resource');
  }
};
