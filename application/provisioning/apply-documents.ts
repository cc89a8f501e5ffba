import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Log } from '../ports/log.port.ts';
import { DuplicateError } from '../ports/unit-of-work.port.ts';
import type { KindApplier } from './kind-applier.ts';
import { KINDS, type Kind } from '../ports/kinds.ts';
import { faultsOf, naturalKey, type Item, type Loaded } from './load-documents.ts';
import type { FileFault } from './provisioning-files.port.ts';
import type { ProvisionedRow } from '../ports/provisioned-rows.port.ts';
import type { ReportDraft } from './reload-report.ts';
import type { Scene } from './scene.ts';
import { keyOf } from './schema-applier.ts';

export type Appliers = { readonly [K in Kind]: KindApplier<K> };

/** Brings what there is in line with documents, those of one kind a few at a time: a refusal of one holds up no other. */
export class ApplyDocuments {
  constructor(
    private readonly appliers: Appliers,
    private readonly log: Log,
  ) {}

  /**
   * @param goOn called now and then.
   * @returns the items that were applied, or were already so.
   */
  async apply(
    { items }: Loaded,
    scene: Scene,
    draft: ReportDraft,
    goOn: () => Promise<void>,
  ): Promise<readonly Item[]> {
    const applied: Item[] = [];
    for (const together of batchesOf(items)) {
      await goOn();
      const done = await Promise.all(together.map((item) => this.applyOne(item, scene, draft)));
      applied.push(...together.filter((_, at) => done[at]));
    }
    return applied;
  }

  private async applyOne(item: Item, scene: Scene, draft: ReportDraft): Promise<boolean> {
    const { kind, file } = item;
    const applier = this.appliers[kind] as KindApplier;
    const failed = await this.faultsIn(file, applier, async () => {
      const change = await applier.change(item, scene);
      if (!change) return draft.skip(kind);
      if (scene.isDryRun) scene.plan(item);
      else draft.wrote(kind, await change.apply());
      draft.count(kind, change.outcome);
    });
    draft.fail(failed);
    return failed.length === 0;
  }

  /** What no file names is put out of use, what builds on others first. */
  async prune(
    { named, complete }: Loaded,
    scene: Scene,
    draft: ReportDraft,
    goOn: () => Promise<void>,
  ): Promise<void> {
    for (const kind of KINDS.toReversed()) {
      const left = scene.all(kind).filter((row) => !named.has(documentKey(row)));
      if (left.length === 0 || !complete.has(kind)) continue;
      const applier = this.appliers[kind] as KindApplier;
      for (const row of left) {
        await goOn();
        const failed = await this.faultsIn(`${kind}/`, applier, async () => {
          const change = await applier.prune(row, scene);
          if (!change) return;
          if (!scene.isDryRun) await change.apply();
          draft.count(kind, 'pruned');
        });
        draft.fail(
          failed.map((fault) => ({
            ...fault,
            pointer: '',
            message: `${row.orgSlug}/${row.name} is in no file and was not pruned: ${fault.message}`,
          })),
        );
      }
    }
  }

  /** @throws what no other document would survive either: the database is away. */
  private async faultsIn(
    file: string,
    { members }: Pick<KindApplier, 'members'>,
    work: () => Promise<void>,
  ): Promise<readonly FileFault[]> {
    try {
      await work();
      return [];
    } catch (error) {
      if (error instanceof NotaryError) {
        if (error.code === 'SERVICE_UNAVAILABLE') throw error;
        return faultsOf(file, error, (path) => placeIn(path, members));
      }
      if (error instanceof DuplicateError)
        return [{ file, pointer: '', message: 'was applied by another node at the same time.' }];
      this.log.error({ file, err: error }, 'a provisioning file could not be applied');
      return [
        { file, pointer: '', message: 'could not be applied; the log of the service says why.' },
      ];
    }
  }
}

/** Documents of one kind build on none of each other, so some of them share a commit. */
const TOGETHER = 16;

const batchesOf = (items: readonly Item[]): readonly (readonly Item[])[] => {
  const batches: Item[][] = [];
  for (const item of items) {
    const last = batches.at(-1);
    if (last && last.length < TOGETHER && last[0]?.kind === item.kind) last.push(item);
    else batches.push([item]);
  }
  return batches;
};

/** Under which natural key files name the row. */
const documentKey = ({ kind, orgSlug, name }: ProvisionedRow): string =>
  naturalKey(kind, orgSlug, kind === 'schemas' ? keyOf(name) : name);

const placeIn = (path: string, members: KindApplier['members']): string => {
  const inner = path.startsWith('/changes/') ? path.slice('/changes'.length) : path;
  const [, first = '', ...rest] = inner.split('/');
  const renamed = members[`/${first}`];
  return renamed === undefined ? inner : [renamed, ...rest].join('/');
};
