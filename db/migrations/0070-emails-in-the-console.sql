-- Lists of emails in the console: by time, by topic, and by the states that need a look. Most emails are sent, so the index
-- by time serves those.
create index emails_by_time on emails (partner_id, created_at desc, id desc);
create index emails_by_topic on emails (partner_id, topic, created_at desc, id desc);
create index emails_by_status on emails (partner_id, status, created_at desc, id desc)
  where status in ('waiting', 'failed', 'withheld');
