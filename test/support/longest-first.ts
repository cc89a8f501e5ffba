import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest though they are short: begun late, one of them would run on alone at the end. */
const LONG = [
  'crash/sigkill',
  'e2e/packed',
  'e2e/start',
  'e2e/revocation-nodes',
  'api/lifecycle-table',
  'property/walks',
  'e2e/shared-walks',
] as const;

/** Vitest begins with what took longest the last time; on a new machine it goes by size, which these belie. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      LONG.some((name) => moduleId.endsWith(`/test/${name}.test.ts`));
    const sorted = await super.sort(files);
    // One among every few others: most of these run processes of their own, and together they would starve each other.
    const [long, others] = [sorted.filter(isLong), sorted.filter((file) => !isLong(file))];
    return others
      .flatMap((file, at) => (at % 3 === 0 && long.length > 0 ? [long.shift()!, file] : [file]))
      .concat(long);
  }
}
