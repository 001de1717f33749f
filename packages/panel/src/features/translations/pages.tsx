/**
 * The two pages of the translations workspace, loaded together: the counts link to the work list, and it
 * links back.
 */
import { DeskPage } from './progress-page.tsx'
import { WorkPage } from './work-page.tsx'

export const DeskScreen = DeskPage
export const WorkScreen = WorkPage
