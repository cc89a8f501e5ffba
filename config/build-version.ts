import { builtCommit } from '../adapters/system/built-commit.ts';
import { RELEASE } from './version.ts';

/** The first 12 digits of a commit, and whether the sources differed from it. */
const shortened = (commit: string): string => commit.replace(/^([\da-f]{12})[\da-f]*/, '$1');

const commit = builtCommit();

/** The release with the commit as build metadata, such as `0.1.0+7c6c682c0d1e` (SemVer 2.0.0 section 10). */
export const VERSION: string = commit ? `${RELEASE}+${shortened(commit)}` : RELEASE;
