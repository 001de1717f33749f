/** The two pages of the desk, loaded together: the counts lead to the work, and the work back to the counts. */
import { DeskPage } from './progress-page.tsx'
import { WorkPage } from './work-page.tsx'

export const DeskScreen = DeskPage
export const WorkScreen = WorkPage
