export const SIEM_LINE =
  '{"type":"record.recorded","payload":{"recordId":"019c1f00-0000-7000-8000-000000000003"},"timestamp":"2026-02-03T12:00:00.000Z","id":"019c1f00-0000-7000-8000-000000000013"}\n';
