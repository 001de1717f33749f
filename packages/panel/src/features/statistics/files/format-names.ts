/** Names of the formats of reports' files, the same in every language. */
import type { ReportFormat } from '@dala/model'

export const formatNames = { pdf: 'PDF', xlsx: 'Excel', csv: 'CSV' } as const satisfies Record<ReportFormat, string>
