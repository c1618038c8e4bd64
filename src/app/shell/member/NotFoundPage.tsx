export { NotFound as Page } from '../../../programs/content/member/embed/NotFound.tsx'
