UPDATE receipts SET body = CAST(body AS BLOB);
