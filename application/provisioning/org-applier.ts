import { DEFAULT_ORG_SETTINGS } from '../../domain/identity/org.ts';
import type { OrgReads } from '../../domain/identity/identity-store.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { createOrg, updateOrg } from '../identity/org-operations.ts';
import { assertFixed } from './assert-fixed.ts';
import type { Change, KindApplier } from './kind-applier.ts';
import type { Item } from './load-documents.ts';
import type { PerformOperation } from './perform-operation.ts';
import type { Scene } from './scene.ts';

/** Orgs: they are made, and their settings change. None is ever pruned. */
export class OrgApplier implements KindApplier<'orgs'> {
  readonly members = {};

  constructor(
    private readonly operations: PerformOperation,
    private readonly orgs: OrgReads,
  ) {}

  async change(item: Item<'orgs'>, scene: Scene): Promise<Change | null> {
    const { document } = item;
    const orgId = await scene.orgOfSlug(document.slug);
    if (orgId === null) return { outcome: 'created', apply: () => this.create(item, scene) };
    const org = await this.orgs.find(orgId);
    if (org?.managedBy !== 'provisioning')
      throw new NotaryError('CONFLICT', `The org ${document.slug} was made by a caller.`, {
        errors: [
          {
            path: '/slug',
            keyword: 'unmanaged',
            message:
              'is an org that a caller made, and no file takes it over. Other files may name it; remove this one.',
          },
        ],
      });
    assertFixed([['/name', org.name === document.name]], 'Write the earlier one.');
    const settings = { ...DEFAULT_ORG_SETTINGS, ...document.settings };
    if (settings.requireCoSignature === org.settings.requireCoSignature) return null;
    return {
      outcome: 'updated',
      apply: async () => {
        await this.operations.perform(updateOrg, scene.context(), { orgId, settings });
        return null;
      },
    };
  }

  prune(): Promise<null> {
    return Promise.resolve(null);
  }

  private async create(item: Item<'orgs'>, scene: Scene): Promise<null> {
    const context = scene.context((stores, result) =>
      scene.record(stores, (result as { readonly org: { readonly id: Uuid } }).org.id, item),
    );
    const { org } = await this.operations.perform(createOrg, context, item.document);
    scene.committed(org.id, item);
    return null;
  }
}
