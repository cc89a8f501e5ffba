import type { Caller } from '../../../domain/identity/caller.ts';
import { expandScopes, SCOPE_PROFILES, type Scope } from '../../../domain/identity/scopes.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { NotaryRecord } from '../../../domain/record/notary-record.ts';
import type { RecordDraft } from '../../../domain/record/creation.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import {
  completeManifest,
  manifestDigest,
  type ManifestBody,
  type RecordType,
} from '../../../domain/record-type/manifest.ts';

export const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
export const at = (seconds: number): string =>
  new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();

export const PRINCIPAL = { agentId: id(1), orgId: id(11) };
export const PERFORMER = { agentId: id(2), orgId: id(12) };
export const STRANGER = { agentId: id(3), orgId: id(13) };

export const recordType = (body: Partial<ManifestBody> = {}): RecordType => {
  const manifest = completeManifest(
    { type: 't', completionSchema: { type: 'object' }, ...body },
    { orgSlug: 'acme', nextVersion: 1 },
  );
  return {
    id: id(20),
    orgId: PRINCIPAL.orgId,
    publisher: 'acme',
    type: 't',
    version: 1,
    manifest,
    manifestDigest: manifestDigest(manifest),
    status: 'active',
    registeredBy: null,
    entryPosition: 1,
    registeredAt: at(0),
  };
};

export const draft = (members: Partial<RecordDraft> = {}): RecordDraft => ({
  id: id(100),
  recordType: recordType(),
  principal: PRINCIPAL,
  performer: PERFORMER,
  creator: 'principal',
  criteria: { of: 'the principal' },
  platform: 'api',
  platformRef: null,
  message: null,
  autoActivate: false,
  expiresAt: null,
  ...members,
});

/** A record as it was created, with some of its members as a test wants them. */
export const stateOf = (
  members: Partial<RecordState> = {},
  body: Partial<ManifestBody> = {},
): RecordState => ({
  ...NotaryRecord.create(draft({ recordType: recordType(body) }), at(0)).after,
  ...members,
});

export const ACTIVE = { status: 'ACTIVE', awaiting: 'performer', activatedAt: at(1) } as const;
export const SUBMITTED = {
  ...ACTIVE,
  awaiting: 'principal',
  completionPending: true,
  latestCompletionId: id(200),
  latestEvidenceHash: 'e'.repeat(64),
} as const;

type Party = 'principal' | 'performer' | 'stranger';
const PARTIES = { principal: PRINCIPAL, performer: PERFORMER, stranger: STRANGER };

/** An agent's key, with the scopes of the default profile unless it is given others. */
export const callerOf = (
  party: Party,
  scopes: readonly Scope[] = SCOPE_PROFILES['agent-full'].scopes,
  role: Caller['role'] = 'agent',
): Caller => ({
  role,
  authType: 'api_key',
  apiKeyId: id(30 + Object.keys(PARTIES).indexOf(party)),
  ...PARTIES[party],
  name: party,
  scopes,
  allowed: expandScopes(scopes),
  allowedIps: null,
  cert: null,
  oidc: null,
});

export const adminOf = (party: Party): Caller => ({
  ...callerOf(party, SCOPE_PROFILES['admin-standard'].scopes, 'admin'),
  agentId: id(40),
  apiKeyId: id(41),
});

/** The refusal that `work` meets; a test that expects one fails where there is none. */
export const refusalOf = (work: () => unknown): NotaryError => {
  try {
    work();
  } catch (error) {
    if (error instanceof NotaryError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};
