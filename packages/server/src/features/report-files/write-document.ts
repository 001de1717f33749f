/** Writes the documents of reports as files of each format. */
import type { ReportFormat } from '@dala/model'
import type { ReportDocument } from './document.ts'

export const mediaTypes: Readonly<Record<ReportFormat, string>> = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
}

/** Writes the document of a report in a format. */
export async function writeDocument(document: ReportDocument, format: ReportFormat): Promise<Buffer> {
  if (format === 'pdf') return (await import('./pdf.ts')).pdfOf(document)
  const { csvOf, xlsxOf } = await import('./sheets.ts')
  return format === 'csv' ? csvOf(document) : xlsxOf(document)
}
