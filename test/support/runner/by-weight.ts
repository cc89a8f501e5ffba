import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose short files take longest: they start processes, or run every contract suite on one database. */
const HEAVY = /\/test\/(crash|e2e|contract\/sql)\//;

/** Orders test files so that none of the longest runs on alone at the end, and shards them evenly. */
export class ByWeight extends BaseSequencer {
  /** Mixes these files among the others, from the start: next to each other those with processes would starve. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const heavy = sorted.filter(({ moduleId }) => HEAVY.test(moduleId));
    const others = sorted.filter(({ moduleId }) => !HEAVY.test(moduleId));
    return others
      .flatMap((file, at) => (at % 2 === 0 && heavy.length > 0 ? [heavy.shift()!, file] : [file]))
      .concat(heavy);
  }

  /** Deals the files out in the order of their paths, so that the suites of a folder spread over the shards. */
  override shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard!;
    const byPath = [...files].sort((a, b) => (a.moduleId < b.moduleId ? -1 : 1));
    return Promise.resolve(byPath.filter((_, at) => at % count === index - 1));
  }
}
