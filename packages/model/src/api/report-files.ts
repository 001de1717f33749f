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
/** Cases below which a group is not shown to readers without an account. */
export const minSharedCases = 5
/** Id of the row that the hidden groups of a shared table make together. */
export const sharedOthers = 'others'
/** Maximum number of days for which the page of a report is open, and the days that the panel offers. */
export const maxShareDays = 90
export const shareDays = [7, 30, 90] as const
/** Bounds of the characters in the passcode of a page. */
export const passcodeLength = { min: 6, max: 64 } as const
/** Maximum number of a report file's bytes. */
export const maxReportFileBytes = 20 * 1_024 * 1_024
