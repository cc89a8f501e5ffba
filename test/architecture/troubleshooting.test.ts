import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEGRADED_REASONS } from '../../application/operations/degraded-reasons.ts';
import { FINDINGS } from '../../config/doctor/finding.ts';
import { listedRoutes } from '../../config/listed-routes.ts';
import { SETTINGS } from '../../config/settings-table.ts';
import { ERROR_CATALOGUE } from '../../domain/kernel/errors.ts';

const guide = readFileSync('docs/guides/troubleshooting.md', 'utf8');
const inCode = (pattern: RegExp): readonly string[] =>
  [...guide.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!).filter((text) => pattern.test(text));

describe('troubleshooting.md', () => {
  it('names no code and no setting that is not there', () => {
    const known = new Set([...Object.keys(ERROR_CATALOGUE), ...Object.keys(SETTINGS)]);
    const named = inCode(/^[A-Z][A-Z_]+$/);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('names no reason and no finding that is not there', () => {
    const named = inCode(/^(?:[a-z]+_[a-z]+|clock-[a-z]+)$/);
    const known = new Set([
      ...Object.keys(DEGRADED_REASONS),
      ...Object.keys(FINDINGS),
      'co_signature_required',
    ]);
    expect(named).toContain('job_late');
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('sends nobody to a route that is not there', () => {
    const routes = new Set(listedRoutes().map(({ method, path }) => `${method} ${path}`));
    const named = inCode(/^(?:GET|POST) /);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !routes.has(name))).toEqual([]);
  });

  it('quotes what a start says', () => {
    const said = [
      'config/start-error.ts',
      'config/secrets.ts',
      'adapters/sql/upkeep/migrate.ts',
    ].map((file) => readFileSync(file, 'utf8'));
    for (const words of [
      'another process listens on port',
      'holds another secret than the one that this database is used with',
      'The database is newer than this program',
      'This database was made by a build before 0.1.0',
    ]) {
      expect(guide).toContain(words);
      expect(said.some((text) => text.includes(words))).toBe(true);
    }
  });
});
