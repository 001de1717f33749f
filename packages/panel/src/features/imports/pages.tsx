/** The pages of imports, loaded together: the start page, and one import with its steps. */
import { ImportPage } from './import-page.tsx'
import { StartPage } from './start/start-page.tsx'

export const ImportStartScreen = StartPage
export const ImportScreen = ImportPage
