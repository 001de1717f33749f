/** Prepares an empty database for first starts; a part of the installation (`scripts/bootstrap.mjs`). */
import { prepareDatabase } from '../db/prepared.ts'

await prepareDatabase()
