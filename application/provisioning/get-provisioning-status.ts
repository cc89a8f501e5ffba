import type { CallContext } from '../call/call-context.ts';
import { KINDS, type Kind } from '../ports/kinds.ts';
import type { FileFault, ProvisioningFiles } from './provisioning-files.port.ts';
import type { ProvisionedRowReads } from '../ports/provisioned-rows.port.ts';
import type { ReconcileFiles, ReconcileOptions } from './reconcile-files.ts';
import { keyOf } from './schema-applier.ts';

export interface ProvisioningStatus extends ReconcileOptions {
  readonly configPath: string | null;
  /** ISO 8601; null before the first reload of this process. */
  readonly lastReloadAt: string | null;
  /** How many things files made, by kind: of a record type all versions are one. */
  readonly managed: ReadonlyMap<Kind, number>;
  readonly loadErrors: readonly FileFault[];
}

/** What provisioning files made, and what became of them here the last time that they were read. */
export class GetProvisioningStatus {
  constructor(
    private readonly files: Pick<ProvisioningFiles, 'path'>,
    private readonly options: ReconcileOptions,
    private readonly rows: ProvisionedRowReads,
    private readonly reconcile: ReconcileFiles,
  ) {}

  async execute(_context: CallContext): Promise<ProvisioningStatus> {
    const keys = new Map<Kind, Set<string>>(KINDS.map((kind) => [kind, new Set()]));
    for (const { kind, orgSlug, name } of await this.rows.all())
      keys.get(kind)?.add(`${orgSlug} ${kind === 'schemas' ? keyOf(name) : name}`);
    const outcome = this.reconcile.lastOutcome;
    return {
      ...this.options,
      configPath: this.files.path,
      lastReloadAt: outcome?.at ?? null,
      managed: new Map([...keys].map(([kind, names]) => [kind, names.size])),
      loadErrors: outcome?.report.errors ?? [],
    };
  }
}
