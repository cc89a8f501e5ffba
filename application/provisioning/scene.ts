import type { Caller } from '../../domain/identity/caller.ts';
import { expandScopes, SCOPES } from '../../domain/identity/scopes.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Stores, UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { Kind } from '../ports/kinds.ts';
import { naturalKey } from './load-documents.ts';
import type { ProvisionedRow } from '../ports/provisioned-rows.port.ts';

/** The service, with the power of the platform and without a credential. */
const PROVISIONING: Caller = {
  role: 'platform',
  authType: 'api_key',
  apiKeyId: null,
  agentId: null,
  orgId: null,
  name: 'provisioning',
  scopes: SCOPES,
  allowed: expandScopes(SCOPES),
  allowedIps: null,
  cert: null,
  oidc: null,
  isProvisioning: true,
};

type Beside = (stores: Stores, result: unknown) => Promise<void>;

/** A row under its natural key. */
export type RowName = Pick<ProvisionedRow, 'kind' | 'orgSlug' | 'name'>;

/** What one reload knows and adds to: the rows that files manage, and in a dry run those that there would be. */
export class Scene {
  private readonly rows = new Map<string, ProvisionedRow>();
  private readonly planned = new Set<string>();
  private readonly orgIds = new Map<string, Uuid>();

  constructor(
    rows: readonly ProvisionedRow[],
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly requestId: string,
    readonly isDryRun: boolean,
  ) {
    for (const row of rows) this.add(row);
  }

  all(kind: Kind): readonly ProvisionedRow[] {
    return [...this.rows.values()].filter((row) => row.kind === kind);
  }

  find({ kind, orgSlug, name }: RowName): ProvisionedRow | null {
    return this.rows.get(naturalKey(kind, orgSlug, name)) ?? null;
  }

  /** In a dry run: this would be there by now. */
  plan({ kind, orgSlug, name }: RowName): void {
    this.planned.add(naturalKey(kind, orgSlug, name));
  }

  isPlanned({ kind, orgSlug, name }: RowName): boolean {
    return this.planned.has(naturalKey(kind, orgSlug, name));
  }

  /**
   * The id of an org; null in a dry run where it would be made by then.
   *
   * @throws UNPROCESSABLE where there is no such org.
   */
  async orgId(slug: string): Promise<Uuid | null> {
    const known = this.orgIds.get(slug) ?? (await this.orgOfSlug(slug));
    if (known) return known;
    if (this.isPlanned({ kind: 'orgs', orgSlug: slug, name: slug })) return null;
    throw new NotaryError('UNPROCESSABLE', `There is no org ${slug}.`, {
      errors: [{ path: '/org', keyword: 'org', message: `there is no org ${slug}` }],
    });
  }

  async orgOfSlug(slug: string): Promise<Uuid | null> {
    const org = await this.unitOfWork.transaction((stores) => stores.orgs.findBySlug(slug));
    if (org) this.orgIds.set(slug, org.id);
    return org?.id ?? null;
  }

  context(beside?: Beside): CallContext {
    return {
      requestId: this.requestId,
      caller: PROVISIONING,
      ...(beside ? { beside } : {}),
    };
  }

  /** Writes that files manage the row, with the row itself. */
  async record(stores: Stores, id: Uuid, { kind, orgSlug, name }: RowName): Promise<void> {
    const createdAt = this.clock.now().toISOString();
    await stores.provisionedRows.insert({ id, kind, orgSlug, name, createdAt });
  }

  /** After the commit. */
  add(row: ProvisionedRow): void {
    this.rows.set(naturalKey(row.kind, row.orgSlug, row.name), row);
  }

  committed(id: Uuid, { kind, orgSlug, name }: RowName): void {
    this.add({ id, kind, orgSlug, name, createdAt: this.clock.now().toISOString() });
  }
}
