/** The pages of imports, loaded together: where one begins, and one import with its steps. */
import { ImportPage } from './import-page.tsx'
import { StartPage } from './start/start-page.tsx'

export const ImportStartScreen = StartPage
export const ImportScreen = ImportPage
