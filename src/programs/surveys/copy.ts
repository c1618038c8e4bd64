export const surveysCopy = {
  'survey.close': 'Close the survey',
  'survey.region': 'Surveys',
  'survey.success_title': 'Thank you',
  'survey.success_text': 'We received your answers.',
  'survey.error_title': 'Survey not sent',
  'survey.error_text': 'There was an issue processing your survey.',
} as const
