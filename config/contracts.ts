import { A2A_VERSIONS } from '../adapters/a2a/spoken-versions.ts';
import { MCP_VERSIONS } from '../adapters/mcp/spoken-versions.ts';
import { INTERFACE_VERSION } from '../adapters/rest/interface-version.ts';
import { PROTOCOL_VERSIONS } from '../application/federation/hub-identity.ts';
import { BUNDLE_FORMAT_VERSION } from '../domain/record-type/schema-bundle.ts';
import { PREDICATE_SCHEMAS } from '../domain/record/predicate-schemas.ts';

export interface Contract {
  readonly name: string;
  /** Newest first. */
  readonly versions: readonly string[];
}

/** Every contract that the service speaks. */
export const CONTRACTS: readonly Contract[] = [
  { name: 'rest', versions: [INTERFACE_VERSION] },
  { name: 'openapi', versions: ['3.1.0'] },
  { name: 'grpc', versions: ['notary.v1'] },
  { name: 'a2a', versions: A2A_VERSIONS },
  { name: 'mcp', versions: MCP_VERSIONS },
  { name: 'federation', versions: PROTOCOL_VERSIONS },
  { name: 'audit-export', versions: ['1.0'] },
  { name: 'schema-bundle', versions: [BUNDLE_FORMAT_VERSION] },
  ...PREDICATE_SCHEMAS.map(({ kind }) => ({ name: `predicate/${kind}`, versions: ['v1'] })),
];
