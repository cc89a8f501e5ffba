import { NotaryError } from '../../domain/kernel/errors.ts';
import {
  completeManifest,
  manifestDigest,
  type RecordType,
} from '../../domain/record-type/manifest.ts';
import type { RecordTypeRows } from '../../domain/record-type/record-type-store.port.ts';
import { registerSchema, updateSchema } from '../record-type/operations.ts';
import { assertFixed } from './assert-fixed.ts';
import type { Change, KindApplier } from './kind-applier.ts';
import type { Item } from './load-documents.ts';
import type { PerformOperation } from './perform-operation.ts';
import type { ProvisionedRow } from '../ports/provisioned-rows.port.ts';
import type { RowName, Scene } from './scene.ts';

interface Registered {
  readonly recordType: RecordType;
  readonly created: boolean;
}

/**
 * Record types: another manifest under the same key is the next version. Each version is a row of its own, so its name is
 * the key and the version.
 */
export class SchemaApplier implements KindApplier<'schemas'> {
  readonly members = { '/orgId': '/org' };

  constructor(
    private readonly operations: PerformOperation,
    private readonly recordTypes: RecordTypeRows,
  ) {}

  async change(item: Item<'schemas'>, scene: Scene): Promise<Change | null> {
    const orgId = await scene.orgId(item.orgSlug);
    const { org: _org, key: _key, ...body } = item.document;
    const managed = await this.versionsOf(item, scene);
    const newest = managed[0];
    const manifest = completeManifest(body, {
      orgSlug: item.orgSlug,
      nextVersion: newest?.version ?? 1,
    });
    if (newest)
      assertFixed(
        [
          ['/type', newest.type === manifest.type],
          ['/publisher', newest.publisher === manifest.publisher],
        ],
        'Write the earlier one, or give the document another key for another record type.',
      );
    const held = managed.find(({ version }) => version === manifest.version);
    if (held?.manifestDigest !== manifestDigest(manifest))
      return { outcome: 'created', apply: () => this.register(item, orgId!, scene) };
    if (held.status === 'active') return null;
    return { outcome: 'updated', apply: () => this.setStatus(held, 'active', scene) };
  }

  async prune(row: ProvisionedRow, scene: Scene): Promise<Change | null> {
    const [held] = await this.recordTypes.withIds([row.id]);
    if (!held || held.status === 'disabled') return null;
    return { outcome: 'updated', apply: () => this.setStatus(held, 'disabled', scene) };
  }

  /** Newest first. */
  private async versionsOf(item: Item<'schemas'>, scene: Scene): Promise<readonly RecordType[]> {
    const ids = scene
      .all('schemas')
      .filter(({ orgSlug, name }) => orgSlug === item.orgSlug && keyOf(name) === item.name)
      .map(({ id }) => id);
    const rows = await this.recordTypes.withIds(ids);
    return rows.toSorted((a, b) => b.version - a.version);
  }

  private async register(item: Item<'schemas'>, orgId: string, scene: Scene): Promise<null> {
    const { org: _org, key: _key, ...body } = item.document;
    const named = ({ version }: RecordType): RowName => ({
      ...item,
      name: `${item.name}/${version}`,
    });
    const context = scene.context(async (stores, result) => {
      const { recordType, created } = result as Registered;
      if (!created) throw madeByCaller(recordType);
      await scene.record(stores, recordType.id, named(recordType));
    });
    const { recordType } = await this.operations.perform(registerSchema, context, {
      ...body,
      orgId,
    });
    scene.committed(recordType.id, named(recordType));
    return null;
  }

  private async setStatus(
    { orgId, type, publisher, version }: RecordType,
    status: RecordType['status'],
    scene: Scene,
  ): Promise<null> {
    const input = { orgId, type, publisher, version, status };
    await this.operations.perform(updateSchema, scene.context(), input);
    return null;
  }
}

/** The key of a document, from the name of one of its versions. */
export const keyOf = (name: string): string => name.slice(0, name.lastIndexOf('/'));

const madeByCaller = ({ publisher, type, version }: RecordType): NotaryError =>
  new NotaryError('CONFLICT', `A caller registered ${publisher}/${type} version ${version}.`, {
    errors: [
      {
        path: '/type',
        keyword: 'unmanaged',
        message: `is registered in this very form by a caller, as version ${version}, and no file takes it over. Remove the file, or state the next version.`,
      },
    ],
  });
