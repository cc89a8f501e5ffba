import {
  OCSF_ACTIVITIES,
  OCSF_CLASSES,
  OCSF_SEVERITIES,
  OCSF_STATUSES,
  OCSF_TABLE,
  type OcsfRow,
} from '../domain/siem/ocsf-table.ts';

/** What each type of event is in OCSF. */
export const ocsfTable = (): string =>
  [
    '| event | class | activity | severity | status |',
    '|---|---|---|---|---|',
    ...Object.entries<OcsfRow>(OCSF_TABLE).map(
      ([type, row]) =>
        `| \`${type}\` | ${row.class} ${OCSF_CLASSES[row.class]} | ${activitiesOf(row)} | ${row.severity} ${OCSF_SEVERITIES[row.severity]} | ${row.status} ${OCSF_STATUSES[row.status]} |`,
    ),
  ].join('\n');

const activitiesOf = (row: OcsfRow): string =>
  row.or
    ? `${named(row, row.activity)}; ${row.or.words}: ${named(row, row.or.activity)}`
    : named(row, row.activity);

const named = ({ class: uid }: OcsfRow, activity: number): string =>
  `${activity} ${(OCSF_ACTIVITIES[uid] as { readonly [id: number]: string })[activity]!}`;
