/** Feature of letters by e-mail. */
import type { Feature } from '../../domain/feature.ts'
import { Mailer } from './mailer.ts'
import { noticeLetters } from './notice-letters.ts'

export const mail: Feature = {
  name: 'mail',
  jobs({ database, settings, log, logFailure }) {
    const sent = (template: string, file: string | undefined) => log.info({ template, file }, 'letter sent')
    const mailer = new Mailer(database, settings, { sent, failed: logFailure('letter failed') })
    const letters = noticeLetters(database, settings, {
      sent,
      onRepeated: (id) => log.warn({ id }, 'letter sent again after an interruption'),
      failed: logFailure('letter about notices failed'),
    })
    mailer.start()
    letters.start(settings.databaseUrl === undefined)
    return [mailer, letters]
  },
}
