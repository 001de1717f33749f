/** Feature of letters by e-mail. */
import type { Feature } from '../../domain/feature.ts'
import { Mailer } from './mailer.ts'

export const mail: Feature = {
  name: 'mail',
  jobs({ database, settings, log, logged }) {
    const mailer = new Mailer(database, settings, {
      sent: (template, file) => log.info({ template, file }, 'letter sent'),
      failed: logged('letter failed'),
    })
    mailer.start()
    return [mailer]
  },
}
