/** Feature of letters by e-mail. */
import type { ReportLetters } from '../../domain/delivery/report-letters.ts'
import type { Feature, JobContext } from '../../domain/feature.ts'
import { emitSignal } from '../../signals.ts'
import { Mailer } from './mailer.ts'
import { openTransport } from './mail-transport.ts'
import { noticeLetters } from './notice-letters.ts'

/**
 * Creates the feature of letters.
 *
 * @param reportLettersOf - Returns what makes the letters with reports.
 */
export const mailFeature = (
  reportLettersOf: (context: Pick<JobContext, 'database' | 'settings'>) => ReportLetters,
): Feature => ({
  name: 'mail',
  jobs({ database, settings, log, logFailure }) {
    const logSent = (template: string, file: string | undefined) => {
      log.info({ template, file }, 'letter sent')
      emitSignal('letter', { outcome: 'sent' })
    }
    const logFailed = (message: string) => {
      const logError = logFailure(message)
      return (error: unknown) => {
        logError(error)
        emitSignal('letter', { outcome: 'failed' })
      }
    }
    const mailLog = { sent: logSent, failed: logFailed('letter failed') }
    const mailer = new Mailer(
      database,
      settings,
      mailLog,
      openTransport(settings),
      reportLettersOf({ database, settings }),
    )
    const letters = noticeLetters(database, settings, {
      sent: logSent,
      onRepeated: (id) => log.warn({ id }, 'letter sent again after an interruption'),
      failed: logFailed('letter about notices failed'),
    })
    mailer.start()
    letters.start(settings.databaseUrl === undefined)
    return [mailer, letters]
  },
})
