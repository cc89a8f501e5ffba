import type { TrustedIssuerReads } from '../../domain/identity/certificate-store.port.ts';
import {
  DEFAULT_MAPPING,
  DEFAULT_TTL_SECONDS,
  type TrustedIssuer,
} from '../../domain/identity/trusted-issuer.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { createTrustedIssuer, updateTrustedIssuer } from '../identity/issuer-operations.ts';
import { assertFixed } from './assert-fixed.ts';
import type { Change, KindApplier } from './kind-applier.ts';
import { NO_ORG } from '../ports/kinds.ts';
import type { Item } from './load-documents.ts';
import type { PerformOperation } from './perform-operation.ts';
import type { ProvisionedRow } from '../ports/provisioned-rows.port.ts';
import type { Scene } from './scene.ts';

type Document = Item<'trusted-issuers'>['document'];

/** Trusted issuers: how far each is trusted changes. */
export class IssuerApplier implements KindApplier<'trusted-issuers'> {
  readonly members = { '/orgId': '/org' };

  constructor(
    private readonly operations: PerformOperation,
    private readonly issuers: TrustedIssuerReads,
  ) {}

  async change(item: Item<'trusted-issuers'>, scene: Scene): Promise<Change | null> {
    const orgId = item.orgSlug === NO_ORG ? null : await scene.orgId(item.orgSlug);
    const row = scene.find(item);
    if (!row) return { outcome: 'created', apply: () => this.create(item, orgId, scene) };
    const before = await this.held(row.id);
    const { issuerUrl, appliesTo = 'agent' } = item.document;
    assertFixed(
      [
        ['/issuerUrl', before.issuerUrl === issuerUrl],
        ['/appliesTo', before.appliesTo === appliesTo],
      ],
      'Write the earlier one, or give the document another key for another issuer.',
    );
    const changes = changesOf(before, item.document);
    if (Object.keys(changes).length === 0) return null;
    return {
      outcome: 'updated',
      apply: async () => {
        const input = { issuerId: row.id, changes };
        await this.operations.perform(updateTrustedIssuer, scene.context(), input);
        return null;
      },
    };
  }

  async prune(row: ProvisionedRow, scene: Scene): Promise<Change | null> {
    if (!(await this.held(row.id)).enabled) return null;
    return {
      outcome: 'updated',
      apply: async () => {
        const input = { issuerId: row.id, changes: { enabled: false } };
        await this.operations.perform(updateTrustedIssuer, scene.context(), input);
        return null;
      },
    };
  }

  private async held(id: Uuid): Promise<TrustedIssuer> {
    const issuer = await this.issuers.find(id);
    if (!issuer) throw notFound('trusted issuer');
    return issuer;
  }

  private async create(
    item: Item<'trusted-issuers'>,
    orgId: Uuid | null,
    scene: Scene,
  ): Promise<null> {
    const { org: _org, key: _key, ...members } = item.document;
    const context = scene.context((stores, result) =>
      scene.record(stores, (result as TrustedIssuer).id, item),
    );
    const issuer = await this.operations.perform(createTrustedIssuer, context, {
      ...members,
      orgId,
    });
    scene.committed(issuer.id, item);
    return null;
  }
}

/** What is left out of a document has its default, as when it was created. */
const wantedOf = (document: Document) => ({
  jwksUri: document.jwksUri ?? null,
  expectedAudience: document.expectedAudience,
  maxCredentialTtlSeconds: document.maxCredentialTtlSeconds ?? DEFAULT_TTL_SECONDS,
  enabled: document.enabled ?? true,
  subjectAllowlist: [...new Set(document.subjectAllowlist ?? [])],
  requireProof: document.requireProof ?? ('none' as const),
  requireCoSignature: document.requireCoSignature ?? ('none' as const),
  claimMapping: { ...DEFAULT_MAPPING, ...document.claimMapping },
});

type Wanted = ReturnType<typeof wantedOf>;

const changesOf = (before: TrustedIssuer, document: Document): Partial<Wanted> => {
  const wanted = wantedOf(document);
  const differs = (member: keyof Wanted): boolean => {
    if (member !== 'claimMapping')
      return JSON.stringify(before[member]) !== JSON.stringify(wanted[member]);
    const { scopes, agent_id: agentId, role } = before.claimMapping;
    const { claimMapping: mapping } = wanted;
    return scopes !== mapping.scopes || agentId !== mapping.agent_id || role !== mapping.role;
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(([member]) => differs(member as keyof Wanted)),
  );
};
