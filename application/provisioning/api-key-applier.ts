import type { ApiKey } from '../../domain/identity/api-key.ts';
import type { ApiKeyReads } from '../../domain/identity/identity-store.port.ts';
import { DEFAULT_PROFILE } from '../../domain/identity/scopes.ts';
import { NotaryError, notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { mintApiKey, updateApiKey } from '../identity/api-key-operations.ts';
import { assertFixed, sameList } from './assert-fixed.ts';
import { PRUNED, type Change, type Generated, type KindApplier } from './kind-applier.ts';
import type { Item } from './load-documents.ts';
import type { PerformOperation } from './perform-operation.ts';
import type { ProvisionedRow } from '../ports/provisioned-rows.port.ts';
import type { Scene } from './scene.ts';
import type { SecretFiles } from './secret-files.port.ts';
import { withSecret } from './with-secret.ts';

type Document = Item<'api-keys'>['document'];

const CURE = 'Write the earlier one, or give the document another key, which mints another.';

/** API keys: each is minted once and never changes. A revoked one does not come back, whatever files say. */
export class ApiKeyApplier implements KindApplier<'api-keys'> {
  readonly members = { '/ownerId': '/agent' };

  constructor(
    private readonly operations: PerformOperation,
    private readonly apiKeys: ApiKeyReads,
    private readonly secrets: SecretFiles,
  ) {}

  async change(item: Item<'api-keys'>, scene: Scene): Promise<Change | null> {
    await scene.orgId(item.orgSlug);
    const ownerId = this.ownerId(item, scene);
    const row = scene.find(item);
    if (row) {
      this.assertSame(await this.held(row.id), item.document, ownerId);
      return null;
    }
    await this.secrets.assertFree(fileName(item));
    return { outcome: 'created', apply: () => this.mint(item, ownerId!, scene) };
  }

  async prune(row: ProvisionedRow, scene: Scene): Promise<Change | null> {
    const key = await this.held(row.id);
    if (!key.isActive) return null;
    return {
      outcome: 'updated',
      apply: async () => {
        const input = { keyId: row.id, isActive: false, reason: PRUNED };
        await this.operations.perform(updateApiKey, scene.context(), input);
        return null;
      },
    };
  }

  /** Null in a dry run where the agent would be made by then. */
  private ownerId({ orgSlug, document }: Item<'api-keys'>, scene: Scene): Uuid | null {
    const agent = { kind: 'agents', orgSlug, name: document.agent } as const;
    const row = scene.find(agent);
    if (row) return row.id;
    if (scene.isPlanned(agent)) return null;
    throw new NotaryError('UNPROCESSABLE', `No file made an agent ${document.agent}.`, {
      errors: [
        {
          path: '/agent',
          keyword: 'agent',
          message: `is the key of no agent that files made in the org ${orgSlug}`,
        },
      ],
    });
  }

  private async held(id: Uuid): Promise<ApiKey> {
    const key = await this.apiKeys.find(id);
    if (!key) throw notFound('API key');
    return key;
  }

  private assertSame(key: ApiKey, document: Document, ownerId: Uuid | null): void {
    const profile = document.scopes
      ? null
      : (document.scopeProfile ?? DEFAULT_PROFILE[document.role]);
    assertFixed(
      [
        ['/agent', key.ownerId === ownerId],
        ['/role', key.role === document.role],
        ['/scopeProfile', key.scopeProfile === profile],
        ['/scopes', !document.scopes || sameList(key.scopes, [...new Set(document.scopes)])],
        ['/label', key.label === (document.label ?? null)],
        ['/allowedIps', sameList(key.allowedIps, document.allowedIps ?? null)],
        ['/expiresAt', !document.expiresAt || key.expiresAt === document.expiresAt],
      ],
      CURE,
    );
    if (key.isActive) return;
    throw new NotaryError('CONFLICT', `The key ${key.id} was revoked at ${key.revokedAt}.`, {
      errors: [
        {
          path: '/key',
          keyword: 'revoked',
          message: `is of a key that was revoked at ${key.revokedAt}, and a revoked key does not come back. Give the document another key, which mints another, or remove the file.`,
        },
      ],
    });
  }

  private async mint(
    item: Item<'api-keys'>,
    ownerId: Uuid,
    scene: Scene,
  ): Promise<Generated | null> {
    const { org: _org, key: _key, agent: _agent, ...members } = item.document;
    const input = { ...members, ownerType: 'agent' as const, ownerId };
    const { id, file } = await withSecret(
      this.secrets,
      scene,
      item,
      fileName(item),
      (issued: { readonly key: ApiKey; readonly apiKey: string }) => ({
        id: issued.key.id,
        secret: issued.apiKey,
      }),
      (context) => this.operations.perform(mintApiKey, context, input),
    );
    return file === null ? null : { id, label: members.label ?? null, file };
  }
}

const fileName = ({ orgSlug, name }: Pick<Item, 'orgSlug' | 'name'>): string =>
  `${orgSlug}.${name}.api-key`;
