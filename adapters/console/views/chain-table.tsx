import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import type { ExaminedEntry } from '../verifier.ts';

interface ChainTableProps {
  readonly entries: readonly ExaminedEntry[];
  readonly report: VerificationReport;
}

/** The chain entry by entry, each with what the verifier found of it. */
export const ChainTable = ({ entries, report }: ChainTableProps) => (
  <>
    <h3>The chain, entry by entry</h3>
    <table id="chain" tabindex={0} aria-label="Chain entries, scrolls sideways">
      <thead>
        <tr>
          <th scope="col">#</th>
          <th scope="col">Entry</th>
          <th scope="col">Found</th>
          <th scope="col">Hash</th>
          <th scope="col">Hash of the one before</th>
          <th scope="col">Key</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.position} data-position={entry.position}>
            <td>{entry.position ?? '?'}</td>
            <td>{entry.entryType}</td>
            <Found entry={entry} report={report} />
            <Hash text={entry.hash} />
            <Hash text={entry.previousHash} />
            <td>
              <code>{entry.signingKeyId}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {report.subject.entries > entries.length && (
      <p>
        {report.subject.entries - entries.length} more entries were verified and are not listed
        here.
      </p>
    )}
  </>
);

const Found = ({
  entry,
  report,
}: { readonly entry: ExaminedEntry } & Pick<ChainTableProps, 'report'>) => {
  if (entry.failures.length > 0)
    return (
      <td class="failed" data-found="broken">
        ✗ {entry.failures.join(' · ')}
      </td>
    );
  if (report.verdict === 'valid')
    return (
      <td class="passed" data-found="verified">
        ✓ verified
      </td>
    );
  // Of an entry in a file that is not valid nothing is claimed but that it has no fault of its own.
  return (
    <td class="skipped" data-found="fits">
      – no fault of its own
    </td>
  );
};

const Hash = ({ text }: { readonly text: string }) => (
  <td>
    <code title={text}>{text.slice(0, 16)}…</code>
  </td>
);
