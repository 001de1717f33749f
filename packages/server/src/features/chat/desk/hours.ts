/** The working time that targets for replies are counted in: hours and zone of the settings. */
import { readWorkingHours, type WorkingHours, type WorkingTime, workingTime } from '@dala/model'

let time = workingTime(readWorkingHours('1-6 09:00-18:00') ?? {}, 'Asia/Tashkent')

/** Sets the hours, once, before the application answers. */
export function useDeskHours(hours: WorkingHours, zone: string): void {
  time = workingTime(hours, zone)
}

/** The working time of the desk. */
export const deskTime = (): WorkingTime => time
