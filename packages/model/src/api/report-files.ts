/** Files of reports: their formats, their parts and their limits. */

export const reportFormats = ['pdf', 'xlsx', 'csv'] as const
export type ReportFormat = (typeof reportFormats)[number]

/** Parts of a report's file in their order; a file contains all of them by default. */
export const reportParts = ['figures', 'series', 'breakdowns', 'definitions'] as const
export type ReportPart = (typeof reportParts)[number]

export const reportFileStates = ['running', 'done', 'failed'] as const
export type ReportFileState = (typeof reportFileStates)[number]

/** Hours after which the file of a report is deleted. */
export const reportFileHours = 24
/** Maximum number of a report file's bytes. */
export const maxReportFileBytes = 20 * 1_024 * 1_024
