/** A diagnosis of an installation for those who help with it; it has no personal data and no secret. */
import { arch, availableParallelism, platform, release, totalmem } from 'node:os'
import type { SystemDiagnosis, SystemState } from '@dala/model'
import type { Settings } from '../../settings.ts'

/** Of these settings only whether they are set: they have secrets, accounts, addresses or paths. */
function presenceOf(settings: Settings): SystemDiagnosis['settings'] {
  return {
    DATABASE_URL: settings.databaseUrl !== undefined,
    S3_ENDPOINT: settings.store !== undefined,
    SMTP_URL: settings.smtpUrl !== undefined,
    JWT_SECRET: settings.jwtSecrets !== undefined,
    TWO_STEP_KEY: settings.twoStepKeys !== undefined,
    OWNER_PASSWORD: settings.ownerPassword !== undefined,
    CORS_ORIGINS: settings.corsOrigins.length,
    TRUSTED_PROXIES: settings.trustedProxies.length,
  }
}

function settingsOf(settings: Settings): SystemDiagnosis['settings'] {
  const { uploads } = settings
  return {
    ...presenceOf(settings),
    SEED: settings.seed,
    TIME_ZONE: settings.timeZone,
    REGISTRATION: settings.registration,
    PASSWORD_POLICY: settings.passwordPolicy,
    INVITE_HOURS: settings.inviteHours,
    PUSH: settings.push,
    AUDIT_DAYS: settings.auditDays,
    CHAT_TICK_SECONDS: settings.chatTickSeconds,
    API_DOCS: settings.apiDocs,
    LOG_LEVEL: settings.logLevel,
    VIDEO_CHECKS: settings.videoChecks,
    UPLOAD_FILE_BYTES: uploads.fileBytes,
    UPLOAD_VIDEO_BYTES: uploads.videoBytes,
    UPLOAD_QUOTA_BYTES: uploads.quotaBytes,
    UPLOAD_RESERVE_BYTES: uploads.reserveBytes,
    production: settings.production,
  }
}

function lettersWithoutNames(letters: SystemState['letters']): SystemDiagnosis['state']['letters'] {
  if (letters.state === 'unanswered') return letters
  const { state, sent, waiting, tried, dropped, failure } = letters
  return { state, sent, waiting, tried, dropped, failure }
}

/**
 * Makes the diagnosis of an installation.
 *
 * @param state - The state of the installation.
 * @param settings - The settings.
 */
export const diagnose = (state: SystemState, settings: Settings): SystemDiagnosis => ({
  state: { ...state, letters: lettersWithoutNames(state.letters) },
  platform: {
    system: `${platform()} ${release()}`,
    architecture: arch(),
    processors: availableParallelism(),
    memory: totalmem(),
  },
  settings: settingsOf(settings),
})
