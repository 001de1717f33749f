/** Text for the figures of a report, which files of the server share (statistics §5). */
export { changeText, figureText } from '@dala/model'
