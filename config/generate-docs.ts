import { readFileSync, writeFileSync } from 'node:fs';
import { GENERATED_PARTS, withGenerated } from './generated-docs.ts';

/**
 * Writes the generated parts of the documents in the working directory. With `--check` it writes
 * nothing, names what is out of step, and ends with 1.
 */
const isCheck = process.argv.includes('--check');
const stale: string[] = [];
for (const part of GENERATED_PARTS) {
  const document = readFileSync(part.file, 'utf8');
  const updated = withGenerated(document, part);
  if (updated === document) continue;
  stale.push(`${part.file} (${part.name})`);
  if (!isCheck) writeFileSync(part.file, updated);
}
if (stale.length > 0)
  process.stdout.write(
    isCheck
      ? `Out of step with the code: ${stale.join(', ')}. Run: npm run docs\n`
      : `Written: ${stale.join(', ')}\n`,
  );
if (isCheck && stale.length > 0) process.exitCode = 1;
