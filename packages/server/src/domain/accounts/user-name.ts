/** The name under which other users see a user. */
import { sql } from '../../db/sql.ts'

/** Full name of the user in the table `u`, or the user name of an account without a name. */
export const userNameSql = sql`coalesce(nullif(concat_ws(' ', u.name, u.surname), ''), u.username)`
