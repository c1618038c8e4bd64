-- Lists of statement credits in the console: the latest first, in all and by state.
create index statement_credits_by_time on statement_credits (partner_id, created_at desc, id desc);
create index statement_credits_by_status on statement_credits (partner_id, status, created_at desc, id desc);
